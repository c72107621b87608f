// A separate file, because the content security policy allows no inline script.
// Before the first paint: applies the system's color scheme, and hides the prerendered page (which shows what visitors
// see) from signed-in users.
const page = document.documentElement.classList;
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const apply = () => page.toggle('dark', dark.matches);
apply();
dark.addEventListener('change', apply);
try {
  page.toggle('signed-in', localStorage.getItem('serasi-session') !== null);
} catch {
  // Without storage there is no session.
}

// After the first paint: starts the application, which is already being preloaded. The bundle is large, and a slow
// phone can't paint while parsing it.
document.addEventListener('DOMContentLoaded', () => {
  const application = document.querySelector('link[data-application]');
  // The development server loads the application directly from the page.
  if (!application) return;
  const start = () => import(application.href);
  const shell = page.contains('signed-in') ? null : document.querySelector('.shell');
  if (document.hidden || !shell) return start();
  // A module runs only once, however often it is imported.
  new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
  setTimeout(start, 500);
});
