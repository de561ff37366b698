// SPDX-License-Identifier: Apache-2.0
// Resolves relative URLs as specified in RFC 3986 §5.2, but as text: macros and characters that are invalid in URLs are
// kept.

const pattern = /^(https?):\/\/([^/?#]*)([^?#]*)([^#]*)/i;

/** RFC 3986 §5.2.4. */
function withoutDots(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/');
  segments.forEach((segment, index) => {
    const isLast = index === segments.length - 1;
    if (segment === '..') {
      if (kept.length > 1) kept.pop();
    } else if (segment !== '.') kept.push(segment);
    if (isLast && (segment === '.' || segment === '..')) kept.push('');
  });
  return kept.join('/');
}

/**
 * @param reference without a scheme
 * @param base URL of the document, after redirects
 * @returns undefined when the base is not an http(s) URL
 */
export function resolveUrl(reference: string, base: string): string | undefined {
  const parts = pattern.exec(base);
  if (parts === null) return undefined;
  const [, scheme = '', authority = '', basePath = ''] = parts;
  if (reference.startsWith('//')) return `${scheme}:${reference}`;
  // Credentials in the document's URL are not for the URLs inside it.
  const origin = `${scheme}://${authority.slice(authority.lastIndexOf('@') + 1)}`;
  const path = basePath === '' ? '/' : basePath;
  if (reference.startsWith('?')) return `${origin}${path}${reference}`;
  const [, ownPath = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(reference)!;
  const joined = ownPath.startsWith('/') ? ownPath : path.slice(0, path.lastIndexOf('/') + 1) + ownPath;
  return `${origin}${withoutDots(joined)}${rest}`;
}
