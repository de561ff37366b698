// SPDX-License-Identifier: Apache-2.0
// The addresses that a demo prints have its key in the fragment, which browsers do not send. Only on loopback: elsewhere, a key in
// an address would be stored in histories and chats.
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @returns the key of an address of the console and its fragment without the key; undefined if there is none, or off loopback */
export function keyInAddress({ hostname, hash }: Pick<URL, 'hostname' | 'hash'>) {
  const [page = '', query] = hash.split('?', 2);
  const parameters = new URLSearchParams(query);
  const key = parameters.get('api-key');
  if (key === null || !loopback.test(hostname)) return undefined;
  parameters.delete('api-key');
  const rest = parameters.toString();
  return { key, hash: rest === '' ? page : `${page}?${rest}` };
}
