// SPDX-License-Identifier: Apache-2.0
// The states in which an origin can be when the first viewer of a channel comes.
import { type OriginReply, reply } from '../../live/origin/originFault.ts';
import type { SoakOrigin, SoakReply, Trouble } from './soakOrigin.ts';

type Spoil = NonNullable<Trouble['spoil']>;
type State = (origin: SoakOrigin, now: () => number, until: number) => Partial<Trouble> | undefined;

const textOf = ({ body }: OriginReply): string => Buffer.from(body).toString();
const rewrite =
  (change: (text: string) => string): Spoil =>
  (made) =>
    made.status === 200 ? { ...made, body: Buffer.from(change(textOf(made))) } : made;
const always =
  (spoil: Spoil): State =>
  () => ({ spoil });
const returns = (status: number): SoakReply => reply(status, 'failed');

export const births: Readonly<Record<string, State>> = {
  'is there': () => undefined,
  'returns 404': always(() => returns(404)),
  'returns 503': always(() => returns(503)),
  'does not respond': always((made) => ({ ...made, hang: true })),
  'lists no segment': always(
    rewrite((text) =>
      text.replace(/#EXTINF[\s\S]*/, '').replace(/<SegmentTimeline>.*?<\/SegmentTimeline>/g, '<SegmentTimeline/>'),
    ),
  ),
  'has no Period': always(rewrite((text) => text.replace(/<Period[\s\S]*<\/Period>/, ''))),
  'stands still': (_, now) => {
    const at = now() - 40_000;
    return { shownAt: () => at };
  },
  'has its multivariant playlist only': always((made) => (textOf(made).includes('#EXTINF') ? returns(404) : made)),
  'has not one of its renditions': ({ names }) => ({ name: names.at(-1)!, spoil: () => returns(404) }),
  'has a rendition without segments': ({ names }) => ({
    name: names[0]!,
    spoil: rewrite((text) => text.replace(/#EXTINF[\s\S]*/, '')),
  }),
  'has ended': always(
    rewrite((text) => (text.includes('#EXTINF') ? `${text}#EXT-X-ENDLIST\n` : text.replace('"dynamic"', '"static"'))),
  ),
  'states no dates': always(rewrite((text) => text.replace(/#EXT-X-PROGRAM-DATE-TIME.*\n/g, ''))),
  'is in a break': ({ broadcast }, now) => {
    const run = broadcast.runAt(now());
    const start = broadcast.edgeAt(run, now()) - 2;
    run.breaks.added.push({ id: 90_000 + start, start, seconds: 30, behaviour: 'exact' });
    return undefined;
  },
  'comes and goes': (_, now) => ({ spoil: (made) => (Math.floor(now() / 3500) % 2 === 0 ? returns(503) : made) }),
  'restarts when it returns': ({ broadcast }, now, until) => {
    broadcast.restart(now(), until - now(), 1);
    return { spoil: () => returns(503) };
  },
};

/** Origins are in a state until an instant. */
export function beginBirth(kind: string, origins: readonly SoakOrigin[], now: () => number, until: number): void {
  for (const origin of origins) {
    const made = births[kind]!(origin, now, until);
    if (made !== undefined) origin.troubles.push({ kind, until, ...made });
  }
}
