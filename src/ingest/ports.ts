// SPDX-License-Identifier: Apache-2.0
// What ingest needs from outside: bytes from origin servers (implemented by adapters/http/httpOrigin.ts, behind the egress
// guard) and the ffmpeg programs (adapters/media/ffmpeg.ts). The folders of ingest, lowest first: `source` reads manifests and
// media, `measure` finds exact segment times, `text` reads and serves subtitles, `import` turns a manifest into an asset,
// `package` stores and serves encoded media, `condition` makes the media of one creative, `creatives` manages all of them.
import type { ExchangeError } from '../ads/request/ports.ts';
import type { ByteRange } from '../timeline/asset/asset.ts';

export type ReadOptions = {
  readonly range?: ByteRange | undefined;
  /** A larger resource is a failure; it is not cut off. */
  readonly maxBytes?: number;
  /** For the whole exchange, including redirects. */
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asked when a read starts that had to wait (source/limitOrigin.ts): why it is not needed any more, a predicate of its URL. */
  readonly refusal?: (() => string | undefined) | undefined;
};

export type ReadFailure = {
  readonly ok: false;
  /** A predicate of the URL, without secrets, for example `returned 404`. */
  readonly reason: string;
  /** Absent if no caller treats this failure differently from others. */
  readonly error?: ExchangeError | 'noByte';
  readonly status?: number;
  readonly isTooLarge?: true;
};

export type ReadResult =
  | {
      readonly ok: true;
      /** After redirects. Relative URIs are resolved against it. */
      readonly url: string;
      readonly status: number;
      readonly contentType: string;
      /** `access-control-allow-origin`: the pages whose players may read the resource. Headers may be absent or empty. */
      readonly allowOrigin?: string;
      /** The clock of the server. */
      readonly date?: string;
      /** For If-None-Match (RFC 9110 §13.1.2): then an unchanged resource is a failure with status 304. */
      readonly etag?: string;
      readonly bytes: Uint8Array;
      /** Bytes of the whole resource, if a partial response states it (RFC 9110 §14.4). */
      readonly size?: number;
    }
  | ReadFailure;

/** @returns the text (UTF-8 unless it is XML that declares another encoding), or a predicate of its URL */
export type ManifestDecoder = {
  (bytes: Uint8Array): Promise<string | { readonly refused: string }>;
  /** Why no other manifest is decoded, so that none need be read: a predicate of its URL. */
  readonly refusal?: () => string | undefined;
};

export type Origin = {
  read(url: string, options?: ReadOptions): Promise<ReadResult>;
  save(
    url: string,
    path: string,
    options?: ReadOptions,
  ): Promise<{ readonly ok: true; readonly size: number } | ReadFailure>;
  /** The same origin for reads that belong together: sends the cookies that earlier responses have set. Absent: no cookies. */
  readonly session?: () => Origin;
  /** The limits of all manifests together that are read from it. Absent: of each manifest. */
  readonly decode?: ManifestDecoder;
};

export type ProgramResult =
  | { readonly ok: true /** The end of stderr. */; readonly stderr: string }
  | {
      readonly ok: false;
      /** `EXIT_CODE` if it exited, the signal if something else killed it, otherwise the code of the error, if it has one. */
      readonly code?: string;
      readonly reason: string;
      readonly stderr: string;
    };

/** Reads to the end. If it throws before that, the program is killed. */
export type OutputReader = (chunks: AsyncIterable<Uint8Array>) => Promise<void>;

export type ProgramRun = {
  readonly arguments: readonly string[];
  /** The working directory: file names in the arguments are relative to it. */
  readonly folder: string;
  /** Milliseconds of real time after which the program is killed. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly stdout?: OutputReader;
  /** Readers of file descriptors 3, 4, … */
  readonly outputs?: readonly OutputReader[];
};

export type Ffmpeg = {
  /** @returns why ffmpeg cannot be used, or undefined if it can */
  missing(): Promise<string | undefined>;
  /** @throws what a reader throws because of a defect of Midroll; other errors of readers are failures */
  run(program: 'ffmpeg' | 'ffprobe', options: ProgramRun): Promise<ProgramResult>;
};
