import type { TimelineEntry } from '../../../src/http/airContract.ts';
import { nameOfUrl } from './nameOfUrl.ts';

/** What plays, in a word or two. */
export const nameOfEntry = ({ kind, url }: TimelineEntry): string => {
  if (kind === 'break') return 'Ads';
  if (kind === 'slate') return 'Slate';
  return url === undefined ? 'Content' : nameOfUrl(url);
};
