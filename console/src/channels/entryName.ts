// SPDX-License-Identifier: Apache-2.0

import { sourceName } from '../../../src/channels/sourceName.ts';
import type { TimelineEntry } from '../../../src/http/contract/airContract.ts';
import type { Statuses } from '../components/feedback/Badge.tsx';

export const entryKinds: Statuses<TimelineEntry['kind']> = {
  content: ['info', 'Content'],
  break: ['ad', 'Break'],
  slate: ['calm', 'Slate'],
};

/** The title of an entry of the schedule. */
export function entryName({ kind, url }: TimelineEntry): string {
  if (kind === 'break') return 'Ads';
  if (kind === 'slate') return 'Slate';
  return url === undefined ? 'Content' : sourceName(url);
}
