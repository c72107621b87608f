// The part of Playwright's `request` that helpers use. The tests in /clients implement it with fetch.

export interface ApiResponse {
  ok(): boolean;
  status(): number;
  headers(): Record<string, string>;
  text(): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: as in Playwright, tests know the response's type.
  json(): Promise<any>;
}

export interface ApiOptions {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  data?: object;
  /** With 0, the redirect itself is the response. */
  maxRedirects?: 0;
}

export interface Api {
  get(path: string, options?: ApiOptions): Promise<ApiResponse>;
  post(path: string, options?: ApiOptions): Promise<ApiResponse>;
  put(path: string, options?: ApiOptions): Promise<ApiResponse>;
  patch(path: string, options?: ApiOptions): Promise<ApiResponse>;
  delete(path: string, options?: ApiOptions): Promise<ApiResponse>;
}
