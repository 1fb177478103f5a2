import { useState } from "react";

export function Search() {
  const [found, setFound] = useState("nothing yet");
  const search = async (word) => {
    const response = await fetch(`/api/search/${word}`);
    setFound((await response.json()).found);
  };
  return (
    <main>
      <h1>Search</h1>
      <button onClick={() => { search("pl"); search("plum"); }}>Type plum</button>
      <output>{found}</output>
    </main>
  );
}
