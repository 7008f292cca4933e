// The data of the page, which Python wrote into it.
export const data = JSON.parse(document.getElementById("data").textContent);
