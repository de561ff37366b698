// What ingest needs of the world outside: bytes of an origin. Implemented by adapters/httpOrigin behind the egress guard.
import type { ExchangeError } from '../ads/request/ports.ts';
import type { ByteRange } from '../timeline/asset.ts';

export type ReadOptions = {
  readonly range?: ByteRange;
  /** More than this is a failure, not a cut. */
  readonly maxBytes?: number;
  /** For the whole exchange, redirects included. */
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

export type ReadFailure = {
  readonly ok: false;
  /** One plain sentence without secrets, e.g. `answered 404`. */
  readonly reason: string;
  /** Absent where nothing tells this failure from others. */
  readonly error?: ExchangeError | 'noByte';
  readonly status?: number;
  /** It has more bytes than were allowed. */
  readonly isTooLarge?: true;
};

export type ReadResult =
  | {
      readonly ok: true;
      /** After redirects; relative URIs are resolved against it. */
      readonly url: string;
      readonly status: number;
      readonly contentType: string;
      /** Of which pages players may read it: `access-control-allow-origin`; absent when the server did not say. */
      readonly allowOrigin?: string;
      readonly bytes: Uint8Array;
      /** Bytes of the whole resource, where a partial answer tells it (RFC 9110 §14.4). */
      readonly size?: number;
    }
  | ReadFailure;

export type Origin = {
  read(url: string, options?: ReadOptions): Promise<ReadResult>;
  /** Streams the resource into a file. */
  save(
    url: string,
    path: string,
    options?: ReadOptions,
  ): Promise<{ readonly ok: true; readonly size: number } | ReadFailure>;
};

export type ProgramResult =
  | { readonly ok: true /** The end of what it said on stderr. */; readonly said: string }
  | {
      readonly ok: false;
      /** `EXIT_CODE` when it ended by itself, the signal when it was killed from outside; else the code of what was thrown or of the system, where it has one. */
      readonly code?: string;
      readonly reason: string;
      readonly said: string;
    };

/** Reads to the end; when it throws before that, the run is ended. */
export type OutputReader = (chunks: AsyncIterable<Uint8Array>) => Promise<void>;

export type ProgramRun = {
  readonly arguments: readonly string[];
  /** File names in the arguments are told relative to it. */
  readonly folder: string;
  /** Killed after so long by the clock on the wall. */
  readonly timeoutMs: number;
  /** Killed when it is aborted. */
  readonly signal?: AbortSignal;
  readonly stdout?: OutputReader;
  /** Readers of what it writes to file descriptors 3, 4, … */
  readonly outputs?: readonly OutputReader[];
};

export type Ffmpeg = {
  /** Why it can't be used, or undefined when it can. */
  missing(): Promise<string | undefined>;
  run(program: 'ffmpeg' | 'ffprobe', run: ProgramRun): Promise<ProgramResult>;
};
