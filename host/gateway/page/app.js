// Lists what is open.

const response = await fetch("/api/v1/approvals");
const { approvals = [], error } = await response.json();
const lines = error ? [error.message] : approvals.map(({ tool, shown }) => `${tool} ${shown[0]?.text ?? ""}`);
document.getElementById("open").append(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
