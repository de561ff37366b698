// SPDX-License-Identifier: Apache-2.0
// Tokens that mark a session as a preview. The administrative API creates them, and the live port of any node that has the same
// SECRET_KEY accepts them for a few minutes.
import type { ChannelRef } from '../../channels/channelKey.ts';
import { type Millis, millis } from '../../time/units.ts';

type PreviewToken = { readonly token: string; readonly expiresAt: Millis };

type Deps = {
  readonly seal: (text: string) => string;
  /** @throws if the text was not sealed here */
  readonly open: (sealed: string) => string;
  readonly now: () => Millis;
};

/** Long enough for an open page that starts its preview again after a failure, and for a channel that comes on air. */
const LIFETIME_MS = 10 * 60_000;

export function createPreviewTokens({ seal, open, now }: Deps) {
  function read(token: string): unknown[] {
    try {
      return JSON.parse(open(token)) as unknown[];
    } catch {
      return [];
    }
  }
  return {
    create({ tenant, id }: ChannelRef): PreviewToken {
      const expiresAt = millis(now() + LIFETIME_MS);
      return { token: seal(JSON.stringify([tenant, id, expiresAt])), expiresAt };
    },
    accepts(token: string, channel: ChannelRef): boolean {
      const [tenant, id, expiresAt] = read(token);
      return tenant === channel.tenant && id === channel.id && now() < Number(expiresAt);
    },
  };
}

export type PreviewTokens = ReturnType<typeof createPreviewTokens>;
