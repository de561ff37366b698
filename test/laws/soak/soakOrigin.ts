// SPDX-License-Identifier: Apache-2.0
// A live origin of the soak: what each node's requests get from it at an instant, with the troubles that are on. Without sockets.
import { createHash } from 'node:crypto';
import type { Origin, ReadOptions, ReadResult } from '../../../src/ingest/ports.ts';
import { type Clock, sleep } from '../../../src/time/clock.ts';
import type { Millis } from '../../../src/time/units.ts';
import { type Broadcast, createBroadcast } from '../../live/origin/broadcast.ts';
import { describePath, replyTo } from '../../live/origin/liveResources.ts';
import { loadLoop } from '../../live/origin/media/mediaLoop.ts';
import { type OriginReply, type OriginRequest, reply } from '../../live/origin/originFault.ts';
import { type LiveOriginOptions, type LiveState, renditionsOnAir } from '../../live/origin/write/livePresentation.ts';
import { createBadLines } from './badLines.ts';
import { strayMarkers } from './strayMarkers.ts';

export type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** What a response becomes. `hang`: nothing comes. */
export type SoakReply = OriginReply & { readonly delay?: number; readonly hang?: true };

export type SoakRequest = Pick<OriginRequest, 'path' | 'kind' | 'name'> & {
  readonly node: number;
  /** As requested, with the folders that `path` is without. */
  readonly pathname: string;
};

export type Trouble = {
  readonly kind: string;
  readonly until: number;
  /** Only requests of this node. */
  readonly node?: number;
  /** Only this rendition's playlist. */
  readonly name?: string;
  /** The instant of which manifests are shown. */
  readonly shownAt?: (now: number) => number;
  readonly spoil?: (made: SoakReply, request: SoakRequest) => SoakReply;
};

export type SoakOrigin = {
  readonly name: string;
  readonly hlsUrl: string;
  readonly dashUrl: string;
  readonly broadcast: Broadcast;
  readonly options: Writable<LiveOriginOptions>;
  readonly names: readonly string[];
  readonly lags: Map<string, number>;
  /** Milliseconds that dates of a run are wrong, by its index. */
  readonly dateErrors: Map<number, number>;
  /** How often its URLs have changed. */
  moves: number;
  /** When it last listed segments of which none can be played, in milliseconds since 1970. */
  unplayableAt: number;
  troubles: Trouble[];
  forNode(node: number, clock: Clock, latency: () => number): Origin;
};

const DATES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const shiftDates = (text: string, by: number): string =>
  text.replace(DATES, (date) => new Date(Date.parse(date) + by).toISOString());

export async function createSoakOrigin(
  name: string,
  now: () => Millis,
  options: LiveOriginOptions,
  lines: ReadonlySet<string>,
): Promise<SoakOrigin> {
  const badLines = createBadLines(lines);
  const loop = await loadLoop('cmaf');
  const broadcast = createBroadcast({ loop, now: now(), firstNumber: 100 });
  const onAir = renditionsOnAir(broadcast, options);
  const base = `https://${name}.origin.test`;

  function stateAt(at: number): LiveState {
    const run = broadcast.runAt(at);
    return {
      ...{ broadcast, options: origin.options, now: at, run, onAir },
      edge: (rendition) => broadcast.edgeAt(run, at) - (origin.lags.get(rendition) ?? 0),
    };
  }

  /** Later generations of URLs are below a folder. */
  function moved(text: string, kind: SoakRequest['kind']): string {
    if (origin.moves === 0) return text;
    const folder = `g${origin.moves}/`;
    if (kind === 'mpd') return text.replace(/(<MPD[^>]*>)/, `$1<BaseURL>${folder}</BaseURL>`);
    return text.replace(/^(\w+\.m3u8)/gm, `${folder}$1`).replace(/URI="(\w+\.m3u8)/g, `URI="${folder}$1`);
  }

  function rewritten(text: string, kind: SoakRequest['kind'], state: LiveState): string {
    const error = origin.dateErrors.get(state.run.index) ?? 0;
    if (kind === 'multivariant') return moved(text, kind);
    if (kind === 'mpd') {
      const dated = text.replace(/availabilityStartTime="[^"]+"/, (one) => shiftDates(one, error));
      return moved(badLines.mpd(strayMarkers.mpd(dated), state.run.index), kind);
    }
    const dated = error === 0 ? text : shiftDates(text, error);
    const lines = badLines.hls(strayMarkers.hls(dated, state.run.index), state.run.index);
    if (/^(#[^\n]*\n)*#EXT-X-KEY:METHOD=AES-128\n/.test(lines)) origin.unplayableAt = now();
    return lines;
  }

  function make(request: SoakRequest, range: string | undefined): SoakReply {
    const { kind, path, node } = request;
    const isManifest = kind === 'multivariant' || kind === 'media' || kind === 'mpd';
    const concerns = (one: Trouble) =>
      (one.node === undefined || one.node === node) && (one.name === undefined || one.name === request.name);
    const on = isManifest ? origin.troubles.filter((one) => one.until > now() && concerns(one)) : [];
    const at = on.reduce((shown, { shownAt }) => shownAt?.(shown) ?? shown, now() as number);
    const state = stateAt(at);
    if (isManifest && Math.min(...onAir.map((one) => state.edge(one.name))) < 0) return reply(404, 'just started');
    const made = replyTo(state, path, range);
    const whole: SoakReply =
      isManifest && made.status === 200
        ? { ...made, body: Buffer.from(rewritten(Buffer.from(made.body).toString(), kind, state)) }
        : made;
    return on.reduce((spoilt, { spoil }) => spoil?.(spoilt, request) ?? spoilt, whole);
  }

  const origin: SoakOrigin = {
    ...{
      name,
      broadcast,
      options: { ...options },
      names: onAir.map((one) => one.name),
      moves: 0,
      unplayableAt: 0,
      troubles: [],
    },
    ...{ hlsUrl: `${base}/master.m3u8`, dashUrl: `${base}/live.mpd`, lags: new Map(), dateErrors: new Map() },
    forNode(node, { timers }, latency) {
      async function respond(url: string, wanted: ReadOptions): Promise<ReadResult> {
        const { pathname } = new URL(url);
        const path = pathname.replace(/^(\/g\d+)+\//, '/');
        const { range, timeoutMs = 10_000, headers = {} } = wanted;
        const bytes = range && `bytes=${range.start}-${range.start + range.length - 1}`;
        const { delay = 0, hang, status, type, body } = make({ path, pathname, node, ...describePath(path) }, bytes);
        const timedOut = { ok: false, error: 'timeout', reason: `did not respond within ${timeoutMs} ms` } as const;
        await sleep(timers, Math.min(timeoutMs, hang ? timeoutMs : delay + latency()));
        if (hang || delay > timeoutMs) return timedOut;
        if (status >= 300) return { ok: false, status, reason: `returned ${status}` };
        const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
        if (headers['if-none-match'] === etag) return { ok: false, status: 304, reason: 'returned 304' };
        if (wanted.maxBytes !== undefined && body.length > wanted.maxBytes)
          return { ok: false, error: 'tooLarge', isTooLarge: true, reason: 'is too large' };
        return { ok: true, url, status, contentType: type, etag, bytes: body };
      }
      return {
        async read(url, wanted = {}) {
          const { signal } = wanted;
          if (signal?.aborted) return { ok: false, error: 'cancelled', reason: 'was cancelled' };
          const response = respond(url, wanted);
          if (signal === undefined) return response;
          let stop = () => {};
          const aborted = new Promise<ReadResult>((resolve) => {
            stop = () => resolve({ ok: false, error: 'cancelled', reason: 'was cancelled' });
            signal.addEventListener('abort', stop, { once: true });
          });
          return Promise.race([response, aborted]).finally(() => signal.removeEventListener('abort', stop));
        },
        save: () => Promise.reject(new Error('Nothing of a live origin is saved.')),
      };
    },
  };
  return origin;
}
