// SPDX-License-Identifier: Apache-2.0
// Elements that state something about ads or playback and are not used: one notice for each name in a feed.
import type { XmlElement } from '../xml/element.ts';
import type { FeedNotice } from './feed.ts';
import { anyChildren, quoted } from './feedElements.ts';

const reasons = {
  keyvalues: 'are not used: ad requests have the parameters of the session',
  closedcaptionurl: 'are not used: subtitles are those of the manifest',
};

export function unusedElements(channel: XmlElement, items: readonly XmlElement[]): FeedNotice[] {
  const unused = Object.entries(reasons).flatMap(([name, reason]): FeedNotice[] => {
    const found = items.flatMap((item) => anyChildren(item, name));
    return found[0] === undefined
      ? []
      : [{ line: found[0].line, message: `the ${found.length} ${found[0].name} elements ${reason}` }];
  });
  const next = anyChildren(channel, 'link').find(({ attributes }) => attributes.rel === 'next');
  if (next === undefined) return unused;
  const message = `only this page of the feed is read, not the next one, ${quoted(next.attributes.href ?? '')}`;
  return [...unused, { line: next.line, message }];
}
