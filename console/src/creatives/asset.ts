// The parts of an asset that are shown.
export type Asset = {
  readonly id: string;
  readonly kind: 'creative' | 'slate';
  readonly state: 'waiting' | 'preparing' | 'ready' | 'failed';
  readonly reason?: string;
  readonly attempts: number;
  readonly nextAttemptAt?: string;
  readonly source?: string;
  readonly channels: readonly string[];
  readonly duration?: number;
  readonly renditions?: readonly {
    readonly id: string;
    readonly kind: string;
    readonly height?: number;
    readonly bandwidth: number;
  }[];
  readonly bytes?: number;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly thumbnail?: string;
};
export type AssetsAdded = {
  readonly assets: readonly Asset[];
  readonly skipped: readonly {
    readonly adId: string;
    readonly title?: string;
    readonly reason: { readonly text: string };
  }[];
  readonly warnings: readonly string[];
};
