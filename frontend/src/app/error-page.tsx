import { Component, type ReactNode } from 'react';
import { Button, buttonVariants } from '@/components/ui/button';

/** Shown instead of a blank screen when a page throws: tells the visitor what to do. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="wrap grid justify-items-center pt-[clamp(40px,7vw,80px)] pb-6 text-center" role="alert">
        <h1 className="text-[34px]">Something went wrong</h1>
        <p className="mt-2 text-muted-foreground">
          Your saved data is safe. Reload the page, or return to the home page.
        </p>
        <div className="mt-5 flex items-center gap-3">
          <Button onClick={() => window.location.reload()}>Reload the page</Button>
          <a className={buttonVariants({ variant: 'outline' })} href="/">
            Return to Home
          </a>
        </div>
      </main>
    );
  }
}
