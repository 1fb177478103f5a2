"""A call to a browser: the choice of the browser, its deadline, its cancellation, questions to the browser's owner."""
