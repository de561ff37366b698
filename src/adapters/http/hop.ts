// SPDX-License-Identifier: Apache-2.0
/** One request of an exchange, before or after redirects. */
export type Hop = {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The maximum time without a byte. */
  readonly idleMs?: number;
};
