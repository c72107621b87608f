// A file of its own, because the content security policy allows no inline script.
// Before the first paint: the dark theme follows the system, and what is sent along for visitors is not shown to
// somebody who is signed in.
const page = document.documentElement.classList;
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const apply = () => page.toggle('dark', dark.matches);
apply();
dark.addEventListener('change', apply);
try {
  page.toggle('signed-in', localStorage.getItem('serasi-session') !== null);
} catch {
  // A browser that keeps nothing keeps no session.
}

// After it: the application, which is on its way already. It is large, and a slow phone draws nothing while it reads it.
document.addEventListener('DOMContentLoaded', () => {
  const application = document.querySelector('link[data-application]');
  // On the development server it is in the page itself.
  if (!application) return;
  const start = () => import(application.href);
  const shell = page.contains('signed-in') ? null : document.querySelector('.shell');
  if (document.hidden || !shell) return start();
  // A module runs once, however often it is asked for.
  new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  setTimeout(start, 500);
});
