import { useState } from "react";

function Address({ person }) {
  const parts = person.address.split(",");
  return <address>{parts.join(" / ")}</address>;
}

export function Profile() {
  const [person, setPerson] = useState({ name: "Ann", address: "1 Main Street, Town" });
  return (
    <main>
      <h1>{person.name}</h1>
      <Address person={person} />
      <button onClick={() => setPerson({ name: "Bob" })}>Next person</button>
    </main>
  );
}
