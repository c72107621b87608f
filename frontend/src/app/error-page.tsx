import { Component, type ReactNode } from 'react';
import { Button, buttonVariants } from '@/components/ui/button';
import { forgetFailures } from './lazy-page';

interface Props {
  children: ReactNode;
  /** The router's key of the location. Another location resets the boundary. */
  at?: string;
}

/** Replaces a page that throws, or whose files don't load, and leaves what is around it usable. */
export class ErrorBoundary extends Component<Props, { failed: boolean; at?: string }> {
  override state = { failed: false, at: this.props.at };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ at }: Props, state: { at?: string }) {
    return at === state.at ? null : { failed: false, at };
  }

  // Not earlier: React renders a failed page twice, and would load it again without end.
  override componentDidCatch() {
    forgetFailures();
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="wrap grid justify-items-center pt-[clamp(40px,7vw,80px)] pb-6 text-center" role="alert">
        <h1 className="text-[34px]">Something went wrong</h1>
        <p className="mt-2 text-muted-foreground">Your saved data is safe. If trying again fails, reload the page.</p>
        <div className="mt-5 flex items-center gap-3">
          <Button onClick={() => this.setState({ failed: false })}>Try again</Button>
          <a className={buttonVariants({ variant: 'outline' })} href="/">
            Return to Home
          </a>
        </div>
      </main>
    );
  }
}
