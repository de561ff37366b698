// SPDX-License-Identifier: Apache-2.0
// Moves the credentials of a URL into a header.

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A bare % is not an escape.
  }
};

/** Removes the user name and password from the URL. @returns them as a header (RFC 7617 §2) */
export function takeCredentials(url: URL): { authorization?: string } {
  const { username, password } = url;
  if (username === '' && password === '') return {};
  url.username = '';
  url.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}
