// The folder of conditioned media, as the code that fills it and serves from it needs it. Implemented by adapters/media.
import type { Millis } from '../../time/units.ts';
import type { PackagedMedia } from './packagedMedia.ts';

/** A folder to make media in. It is no medium before it is published, and nobody else's until it is given up. */
export type MediaDraft = {
  readonly folder: string;
  /** A file of the medium, written from its start to its end; closing puts it on the disk. */
  create(name: string): Promise<{ write(bytes: Uint8Array): Promise<void>; close(): Promise<void> }>;
  /** Makes the medium exist under its own id, whole and at once; one that exists already is as good. */
  publish(packaged: PackagedMedia): Promise<void>;
  /** Takes the folder away; after publishing it does nothing. */
  discard(): Promise<void>;
};

export type MediaStore = {
  /** What is there now, by its own id or by a name; reads one or two small files the first time. */
  find(id: string): PackagedMedia | undefined;
  /** Where the files of a medium lie. */
  folderOf(id: string): string | undefined;
  /** A folder of its own, however many make the same. */
  open(id: string): Promise<MediaDraft>;
  /** From now on `name` means the medium `id`. */
  name(name: string, id: string): Promise<void>;
  /** The name means nothing any more; the medium stays for those who know its id. */
  unname(name: string): Promise<void>;
  /** Makes room where it can. @returns a sentence when there is none for another medium */
  full(): Promise<string | undefined>;
  /** When it was last played, to the hour. */
  usedAt(id: string): Promise<Millis | undefined>;
};
