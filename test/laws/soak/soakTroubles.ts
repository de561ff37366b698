// SPDX-License-Identifier: Apache-2.0
// What goes wrong at the origins of the soak, at random: each has one trouble after the other, sometimes several at once.
import { pick } from '../../live/origin/model/syntheticRuns.ts';
import { reply } from '../../live/origin/originFault.ts';
import { PRIMARY } from './badLines.ts';
import type { SoakOrigin, SoakReply, Trouble } from './soakOrigin.ts';

type Spoil = (made: SoakReply) => SoakReply;
type Random = () => number;
type Begin = (
  origin: SoakOrigin,
  random: Random,
  now: number,
  ms: number,
) => Omit<Trouble, 'kind' | 'until'> | undefined;

const rewrite =
  (change: (text: string) => string): Spoil =>
  (made) =>
    made.status === 200 ? { ...made, body: Buffer.from(change(Buffer.from(made.body).toString())) } : made;
const HTML = '<!DOCTYPE html><html><body><h1>503 Backend fetch failed</h1></body></html>';
const PADDING = `#${' padding'.repeat(12)}\n`.repeat(20_000);

/** About a third of the troubles concern one node, which is behind a cache of its own, or one rendition. */
function scope(origin: SoakOrigin, random: Random): Pick<Trouble, 'node' | 'name'> {
  const drawn = random();
  if (drawn < 0.2) return { node: Math.floor(3 * random()) };
  return drawn < 0.4 ? { name: pick(random, origin.names) } : {};
}
const spoils =
  (spoil: (random: Random) => Spoil): Begin =>
  (origin, random) => ({ ...scope(origin, random), spoil: spoil(random) });
const restarts =
  (prepare: (origin: SoakOrigin, random: Random, run: number) => number): Begin =>
  ({ broadcast, ...origin }, random, now) => {
    if (broadcast.runAt(now) !== broadcast.runs.at(-1)) return undefined;
    const number = prepare({ broadcast, ...origin }, random, broadcast.runs.length);
    broadcast.restart(now, Math.floor(25_000 * random() ** 2), number);
    return {};
  };
/** The encoder's media time and numbers begin again, with dates that are wrong by up to `seconds`. */
const wrongDates = (seconds: number, direction: 1 | -1): Begin =>
  restarts(({ dateErrors }, random, run) => {
    dateErrors.set(run, direction * Math.floor(1000 * seconds * random()));
    return 1;
  });

const LONGER = 'longer target duration';

const kinds: Readonly<Record<string, Begin>> = {
  'status 404': spoils(() => () => reply(404, 'Not found')),
  'status 403': spoils(() => () => reply(403, 'Forbidden')),
  'status 5xx': spoils((random) => () => reply(pick(random, [500, 502, 503, 504]), 'failed')),
  'time-out': spoils(() => (made) => ({ ...made, hang: true })),
  'slow drip': spoils((random) => {
    const delay = Math.floor(12_000 * random());
    return (made) => ({ ...made, delay });
  }),
  'stale edge': (origin, random, now) => ({ ...scope(origin, random), shownAt: (at) => Math.min(at, now) }),
  'older edge': (origin, random) => {
    const older = 2000 * Math.ceil(4 * random());
    return { ...scope(origin, random), shownAt: (at) => at - older };
  },
  'edge back and forth': (origin, random) => ({
    ...scope(origin, random),
    shownAt: (at) => at - 2000 * Math.floor(5 * random()),
  }),
  'empty playlist': spoils(() => rewrite((text) => text.replace(/#EXTINF[\s\S]*/, ''))),
  'HTML with status 200': spoils(() => () => reply(200, HTML, 'text/html')),
  'wrong content type': spoils(() => (made) => ({ ...made, type: 'text/html' })),
  'playlist cut off': spoils((random) => {
    const part = random();
    return rewrite((text) => text.slice(0, Math.floor(part * text.length)));
  }),
  'bytes of another kind': spoils(() => (made) => ({ ...made, body: Buffer.from([0, 1, 2, 255, 254, 13, 10]) })),
  'huge playlist': spoils(() => rewrite((text) => (text.startsWith('#EXTM3U') ? `${text}${PADDING}` : text))),
  'ended (EXT-X-ENDLIST)': spoils(() =>
    rewrite((text) => (text.includes('#EXTINF') ? `${text}#EXT-X-ENDLIST\n` : text.replace('"dynamic"', '"static"'))),
  ),
  'no discontinuity sequence': (origin, _, now) => {
    const run = origin.broadcast.runAt(now);
    run.discontinuities.add(origin.broadcast.edgeAt(run, now) + 1);
    return { spoil: rewrite((text) => text.replace(/#EXT-X-DISCONTINUITY-SEQUENCE.*\n/, '')) };
  },
  'discontinuity tags missing': (origin, _, now) => {
    const run = origin.broadcast.runAt(now);
    run.discontinuities.add(origin.broadcast.edgeAt(run, now) + 1);
    return { spoil: rewrite((text) => text.replaceAll('#EXT-X-DISCONTINUITY\n', '')) };
  },
  'no dates': spoils(() => rewrite((text) => text.replace(/#EXT-X-PROGRAM-DATE-TIME.*\n/g, ''))),
  [LONGER]: spoils(() => rewrite((text) => text.replace(/(TARGETDURATION:)\d+/, '$19'))),
  discontinuity: (origin, _, now) => {
    const run = origin.broadcast.runAt(now);
    run.discontinuities.add(origin.broadcast.edgeAt(run, now) + 1);
    return {};
  },
  gap: (origin, random, now) => {
    const run = origin.broadcast.runAt(now);
    for (let count = 1 + Math.floor(3 * random()); count > 0; count -= 1)
      run.gaps.add(origin.broadcast.edgeAt(run, now) + count);
    return {};
  },
  'rendition behind': (origin, random) => {
    origin.lags.set(pick(random, origin.names), 1 + Math.floor(3 * random() ** 2));
    return {};
  },
  'another ladder': (_, random) => {
    const isLess = random() < 0.5;
    const hls = (text: string) =>
      isLess
        ? text.replace(/#EXT-X-STREAM-INF[^\n]*320x180[^\n]*\n[^\n]*\n/, '')
        : text.replace(/BANDWIDTH=\d+/g, 'BANDWIDTH=77000').replace('320x180', '416x234');
    const dash = (text: string) =>
      text.replace(
        /<Representation id="v1"[^>]*>/g,
        isLess ? '' : '<Representation id="v9" bandwidth="77000" codecs="avc1.64000c" width="416" height="234"/>',
      );
    return { spoil: rewrite((text) => dash(hls(text))) };
  },
  [PRIMARY]: ({ names }) => {
    // Each variant is listed twice; the first of the two is not there.
    const twice = (text: string) => text.replace(/(#EXT-X-STREAM-INF[^\n]*\n)([^\n]*)\n/g, '$1$2\n$1g999/$2\n');
    const isFirst = (path: string) => names.some((name) => name.startsWith('v') && path.endsWith(`/${name}.m3u8`));
    return {
      spoil: (made, { pathname }) =>
        isFirst(pathname) && !pathname.includes('/g999/') ? reply(404, 'Not found') : rewrite(twice)(made),
    };
  },
  'other URLs': (origin) => {
    origin.moves += 1;
    return {};
  },
  'restart, numbers from 1': restarts(() => 1),
  'restart, numbers go on': restarts(({ broadcast }) => broadcast.runs.at(-1)!.firstNumber + 100_000),
  'restart, dates ahead': wrongDates(20, 1),
  'restart, dates far ahead': wrongDates(3600, 1),
  'restart, dates behind': wrongDates(30, -1),
  'restart, dates far behind': wrongDates(86_400, -1),
};

export type SoakTroubles = {
  /** Begins and ends troubles; called once a second. */
  tick(): void;
  readonly counts: Map<string, number>;
  /** When an origin was last in trouble; infinity while it is. */
  troubledAt(origin: SoakOrigin): number;
  /** An HLS origin of a channel states a longer target duration. */
  statesLonger(channel: string, format: 'hls' | 'dash'): boolean;
};

/** Troubles that are among the lines which can be turned off (badLines.ts). */
const optional = new Set([PRIMARY]);

/** Kinds after which an origin needs some time, and those that cost the test much. */
const RARE: Readonly<Record<string, number>> = { 'huge playlist': 0.3, 'restart, dates far ahead': 0.4 };

export function createSoakTroubles(
  origins: readonly SoakOrigin[],
  random: Random,
  now: () => number,
  lines: ReadonlySet<string>,
): SoakTroubles {
  const usual = Object.keys(kinds).filter((kind) => !optional.has(kind) || lines.has(kind));
  const counts = new Map<string, number>();
  const nextAt = new Map(origins.map((origin) => [origin, now() + 30_000 * random()]));
  const lastAt = new Map<SoakOrigin, number>();

  function begin(origin: SoakOrigin): void {
    const kind = pick(random, usual);
    if (random() > (RARE[kind] ?? 1)) return;
    const ms = kind === 'huge playlist' ? 3000 : Math.floor(1500 + 60_000 * random() ** 3);
    const made = kinds[kind]!(origin, random, now(), ms);
    if (made === undefined) return;
    origin.troubles.push({ kind, until: now() + ms, ...made });
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  return {
    counts,
    troubledAt(origin) {
      if (origin.troubles.length > 0) return Number.POSITIVE_INFINITY;
      return Math.max(lastAt.get(origin) ?? 0, origin.unplayableAt, origin.broadcast.runs.at(-1)!.startedAt);
    },
    statesLonger(channel, format) {
      if (channel === 'two' && format === 'dash') return false;
      const own = origins.filter(({ name }) => (name === 'two') === (channel === 'two'));
      return own.some(({ troubles }) => troubles.some(({ kind }) => kind === LONGER));
    },
    tick() {
      for (const origin of origins) {
        const isOver = ({ until }: Trouble) => until <= now();
        if (origin.troubles.some(isOver)) {
          lastAt.set(origin, now());
          if (origin.troubles.some((one) => isOver(one) && one.kind === 'rendition behind')) origin.lags.clear();
          origin.troubles = origin.troubles.filter((one) => !isOver(one));
        }
        if (now() < nextAt.get(origin)!) continue;
        begin(origin);
        nextAt.set(origin, now() + 1000 + 60_000 * random() ** 2);
      }
    },
  };
}
