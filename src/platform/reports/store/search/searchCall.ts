// SPDX-License-Identifier: Apache-2.0
export type SearchCall = {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the URL of the domain; encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** No retry and a short timeout, because the caller retries later. */
  readonly isOnce?: boolean;
  /** JSON, or lines of JSON. */
  readonly body?: object | readonly string[];
};

export type SearchDomain = {
  /** @throws {SearchDomainError} */
  call<Response>(call: SearchCall): Promise<Response>;
};
