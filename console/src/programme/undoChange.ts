// SPDX-License-Identifier: Apache-2.0
import { call } from '../api/call.ts';
import { showToast } from '../components/feedback/Toasts.tsx';

type Change = {
  /** Of the channel. */
  readonly id: string;
  /** The version that the change has made. */
  readonly etag: string | null;
  readonly text: string;
  readonly undone: string;
  onUndone(): void;
};

/** Says that a schedule was changed, and offers to undo that. */
export const offerUndo = ({ id, etag, text, undone, onUndone }: Change): void =>
  showToast({
    text,
    undo: async () => {
      await call('POST', '/channels/{id}/schedule/undo', { path: { id }, ifMatch: etag });
      onUndone();
    },
    undone,
  });
