// SPDX-License-Identifier: Apache-2.0
// An ad tag that was tried and is to be used: from the page of the try to the settings. It may contain keys, so it is not part of
// an address.
let used: { readonly channel: string; readonly url: string } | undefined;

export const passTag = (channel: string, url: string): void => {
  used = { channel, url };
};

/** @returns the tag once */
export function takeTag(channel: string): string | undefined {
  if (used?.channel !== channel) return undefined;
  const { url } = used;
  used = undefined;
  return url;
}
