// SPDX-License-Identifier: Apache-2.0
// The parts of the channel that is shown, for the keys that open them.
import { useEffect } from 'preact/hooks';
import type { ChannelKey } from './channelKeys.ts';

/** The paths of the parts of the channel that is shown. */
let shown: Partial<Readonly<Record<ChannelKey, string>>> | undefined;

/** @returns undefined on other pages, and for a part that the channel does not have */
export const channelPath = (key: ChannelKey): string | undefined => shown?.[key];
export const isChannelShown = (): boolean => shown !== undefined;

/** The page of a channel has these parts. */
export function useChannelKeys(paths: Partial<Readonly<Record<ChannelKey, string>>>): void {
  useEffect(() => {
    shown = paths;
    return () => {
      if (shown === paths) shown = undefined;
    };
  });
}
