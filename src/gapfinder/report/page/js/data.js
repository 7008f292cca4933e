// The data of the page: JSON that Python wrote into it.
export const data = JSON.parse(document.getElementById("data").textContent);
