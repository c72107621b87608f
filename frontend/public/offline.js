const retry = () => window.location.reload();
document.querySelector('button').addEventListener('click', retry);
window.addEventListener('online', retry);
