// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/apiError.ts';
import { callBlob } from '../api/call.ts';
import { wait } from '../api/wait.ts';
import { formatTimecode } from '../format/time.ts';

/** A break that is dragged passes many cut points. */
const PAUSE_MS = 300;
const RETRY_MS = 1500;

/** One frame after the other: the server makes few at a time. */
let previous: Promise<unknown> = Promise.resolve();

async function read(path: string, signal: AbortSignal): Promise<Blob | undefined> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await callBlob(path, { signal, accept: 'image/jpeg' });
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof ApiError) || error.status !== 429) return undefined;
      await wait(RETRY_MS, signal);
    }
  }
}

function readInTurn(path: string, signal: AbortSignal): Promise<Blob | undefined> {
  const reading = previous.then(() => read(path, signal));
  previous = reading.catch(() => undefined);
  return reading;
}

/** The picture with which the content continues after a break. @param at seconds, a cut point */
export function CueFrame({ url, at }: { readonly url: string; readonly at: number }) {
  const path = `/imports/frame?${new URLSearchParams({ url, at: String(at) })}`;
  const [shown, setShown] = useState<{ readonly path: string; readonly source?: string }>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let source: string | undefined;
    wait(PAUSE_MS, signal)
      .then(async () => {
        const picture = await readInTurn(path, signal);
        source = picture && URL.createObjectURL(picture);
        setShown({ path, ...(source === undefined ? {} : { source }) });
      })
      .catch(() => {});
    return () => {
      controller.abort();
      if (source !== undefined) URL.revokeObjectURL(source);
    };
  }, [path]);
  if (shown?.path !== path) return <span class="cue-frame skeleton" />;
  return shown.source === undefined ? (
    <span class="small muted">No frame</span>
  ) : (
    <img class="cue-frame" src={shown.source} alt={`Frame at ${formatTimecode(at, true)}`} />
  );
}
