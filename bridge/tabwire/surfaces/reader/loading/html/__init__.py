"""Pages of HTML: what of them is content, as lines; and as a browser shows them."""
