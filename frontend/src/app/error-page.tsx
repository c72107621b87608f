import { Component, type ReactNode } from 'react';

/** Shown instead of a blank screen when a page throws: tells the visitor what to do. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="wrap nf" role="alert">
        <h1 style={{ fontSize: 34 }}>Something went wrong</h1>
        <p className="muted" style={{ marginTop: 8 }}>
          Nothing you saved is lost. Reload the page, or return to the home page.
        </p>
        <div className="row" style={{ marginTop: 20 }}>
          <button type="button" className="btn primary" onClick={() => window.location.reload()}>
            Reload the page
          </button>
          <a className="btn outline" href="/">
            Return to Home
          </a>
        </div>
      </main>
    );
  }
}
