// Before the first paint: the dark theme follows the system. A file of its own, because the content
// security policy allows no inline script.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const apply = () => document.documentElement.classList.toggle('dark', dark.matches);
apply();
dark.addEventListener('change', apply);
