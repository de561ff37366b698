// SPDX-License-Identifier: Apache-2.0
// The live origin of the demo: receives what its encoder uploads, adds ad markers to the playlists, and serves both. When the
// encoder is stopped, the playlists stay as they are, as with an origin whose encoder has failed.
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { type Started, startServer } from '../listen.ts';
import { mediaFolder } from '../origin.ts';
import { cors, readTarget, replyText } from '../serveFolder.ts';
import { spawnEncoder } from './encoder.ts';
import { SEGMENT_SECONDS } from './encoderArguments.ts';
import { markPlaylist } from './markPlaylist.ts';
import { endBreak, openBreak, type SentBreak, segmentsToBreak, sendBreak, sendDueBreak } from './sentBreaks.ts';
import { createUploads } from './uploads.ts';

const film = { film: join(mediaFolder, 'hills'), filmSegments: 18 };

export type EncoderStatus = {
  readonly state: 'running' | 'starting' | 'stopped';
  /** ISO 8601. */
  readonly since: string;
  /** Why it stopped by itself. */
  readonly reason?: string;
  /** Seconds of the break that are not listed yet. */
  readonly breakEndsIn?: number;
  /** Seconds until a break starts by itself. */
  readonly breakStartsIn?: number;
  /** Why no break starts. */
  readonly held?: string;
};

export type EncoderOrigin = Started & {
  status(): EncoderStatus;
  /** Segments that this start of the encoder has listed. */
  listed(): number;
  startEncoder(): void;
  stopEncoder(): void;
  sendBreak(): void;
  endBreak(): void;
  /** No break starts until this is called without a reason. */
  holdBreaks(reason?: string): void;
};

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const typeOf = (name: string) => (name.endsWith('.m3u8') ? 'application/vnd.apple.mpegurl' : 'video/mp4');

export type EncoderOriginOptions = {
  readonly ffmpeg?: string;
  /** Whether breaks start by themselves, too. */
  readonly isAutomatic?: boolean;
};

export async function startEncoderOrigin(port: number, options: EncoderOriginOptions = {}): Promise<EncoderOrigin> {
  const { ffmpeg = process.env.FFMPEG || 'ffmpeg', isAutomatic = true } = options;
  const uploads = createUploads();
  let breaks: readonly SentBreak[] = [];
  let encoder: { readonly run: string; kill(): void } | undefined;
  let hasClock = true;
  let since = new Date();
  let reason: string | undefined;
  let held: string | undefined;

  const hasUploaded = (run: string | undefined) => uploads.edge()?.run === run;
  const edge = () => (encoder && hasUploaded(encoder.run) ? uploads.edge() : undefined);
  /** Changes the breaks where the encoder is; does nothing while it is not running. */
  const change = (how: typeof sendBreak) => {
    const at = edge();
    if (at) breaks = how(breaks, at);
  };

  async function receive(request: IncomingMessage, run: string, name: string): Promise<boolean> {
    const bytes = await readBody(request);
    if (run !== encoder?.run) return false;
    uploads.store(run, name, bytes);
    if (isAutomatic && held === undefined) change(sendDueBreak);
    return true;
  }
  function read(name: string): Buffer | string | undefined {
    const file = uploads.read(name);
    if (!file || !name.endsWith('.m3u8')) return file?.bytes;
    const marked = breaks.filter(({ run }) => run === file.run);
    return markPlaylist(file.bytes.toString(), marked);
  }

  const { url, close } = await startServer(async (request, response) => {
    const { path } = readTarget(request);
    const [, run, uploaded] = /^\/upload\/(\w+)\/([\w.-]+)$/.exec(path) ?? [];
    if (request.method === 'PUT' && run && uploaded) {
      const isStored = await receive(request, run, uploaded).catch(() => false);
      return isStored ? response.writeHead(201).end() : response.destroy();
    }
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end();
    const body = read(path.slice(1));
    if (body === undefined) return replyText(response, 404, `Not found: ${path}\n`);
    const headers = {
      'content-type': typeOf(path),
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-cache',
    };
    return response.writeHead(200, { ...cors, ...headers }).end(request.method === 'HEAD' ? undefined : body);
  }, port);

  function startEncoder(): void {
    if (encoder) return;
    const run = Date.now().toString(36);
    since = new Date();
    reason = undefined;
    const kill = spawnEncoder(ffmpeg, { ...film, run, uploadUrl: `${url}/upload/${run}`, hasClock }, (text) => {
      encoder = undefined;
      since = new Date();
      reason = text;
      // A build of ffmpeg without fonts ends at once.
      if (!hasClock || hasUploaded(run)) return;
      hasClock = false;
      startEncoder();
    });
    encoder = { run, kill };
  }
  function stopEncoder(): void {
    if (!encoder) return;
    encoder.kill();
    encoder = undefined;
    since = new Date();
    reason = undefined;
  }
  function status(): EncoderStatus {
    const base = { since: since.toISOString(), ...(reason === undefined ? {} : { reason }) };
    if (!encoder) return { state: 'stopped', ...base };
    const at = edge();
    if (!at) return { state: 'starting', ...base };
    const open = openBreak(breaks, at);
    const seconds = (segments: number) => segments * SEGMENT_SECONDS;
    if (open) return { state: 'running', ...base, breakEndsIn: seconds(open.to - at.next) };
    if (held !== undefined) return { state: 'running', ...base, held };
    if (!isAutomatic) return { state: 'running', ...base };
    return { state: 'running', ...base, breakStartsIn: seconds(segmentsToBreak(breaks, at)) };
  }
  return {
    url,
    status,
    listed: () => edge()?.next ?? 0,
    startEncoder,
    stopEncoder,
    sendBreak: () => {
      if (held === undefined) change(sendBreak);
    },
    endBreak: () => change(endBreak),
    holdBreaks: (why) => {
      held = why;
    },
    close: () => {
      stopEncoder();
      return close();
    },
  };
}
