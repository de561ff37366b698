const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A bare % is no escape.
  }
};

/** What a URL says of who asks, as the header that says it (RFC 7617 §2). The URL itself goes on without it. */
export function takeCredentials(url: URL): { authorization?: string } {
  const { username, password } = url;
  if (username === '' && password === '') return {};
  url.username = '';
  url.password = '';
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}
