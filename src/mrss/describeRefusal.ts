// SPDX-License-Identifier: Apache-2.0
import type { FeedRefusal } from './feed.ts';

/** Continues the name of the feed, without a full stop at the end: `is JSON, not RSS (line 1)`. */
export const describeRefusal = ({ refused, line, advice }: FeedRefusal): string =>
  `${refused} (line ${line})${advice === undefined ? '' : `. ${advice}`}`;
