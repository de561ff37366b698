// SPDX-License-Identifier: Apache-2.0
/** The host of a URL that leads to a server on this machine which listens on `host`. */
export const localAddress = (host: string): string =>
  host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
