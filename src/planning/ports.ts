// What planning needs of the world: assets by URL.
import type { Asset } from '../timeline/asset.ts';

export type Imported =
  | { readonly ok: true; readonly key: string; readonly asset: Asset }
  | { readonly ok: false; readonly reason: string };

export type AssetSource = {
  /**
   * The asset of a URL: as it was imported last, or imported now.
   * @param freshAfter import again what was imported before this (milliseconds)
   */
  find(url: string, freshAfter: number): Promise<Imported>;
};
