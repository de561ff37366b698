// SPDX-License-Identifier: Apache-2.0
/** Whether a list element permits a coding: its weight is not 0. */
const isPermitted = (parameters: readonly string[]): boolean =>
  !parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/i.test(parameter));

/**
 * The codings that an Accept-Encoding header permits (RFC 9110 §12.5.3). Weights other than 0 do not matter: both cost less
 * than they save.
 */
export type Accepted = { readonly gzip: boolean; readonly br: boolean };

export function readAccepted(header: string): Accepted {
  const permitted = new Map<string, boolean>();
  for (const element of header.split(',')) {
    const [name = '', ...parameters] = element.split(';');
    permitted.set(name.trim().toLowerCase(), isPermitted(parameters));
  }
  const gzip = permitted.get('gzip') ?? permitted.get('x-gzip') ?? permitted.get('*') ?? false;
  return { gzip, br: permitted.get('br') ?? false };
}
