import { serverNow } from '../api/clock.ts';
import { Notice } from '../parts/Notice.tsx';
import type { FrameMessage } from '../preview/messages.ts';

type PreviewStateProps = { readonly said: FrameMessage | undefined; readonly failure: string | undefined };

/** How the preview is getting on, in a line. */
export function PreviewState({ said, failure }: PreviewStateProps) {
  if (failure !== undefined) return <Notice tone="bad">{failure}</Notice>;
  if (said?.type !== 'state') return <p class="state">The player is being loaded …</p>;
  const { isPlaying, pictureAt, height, buffered } = said;
  const behind = pictureAt === undefined ? undefined : (serverNow() - pictureAt) / 1000;
  const facts = [
    isPlaying ? 'Playing' : 'Waiting',
    ...(behind === undefined ? [] : [`${behind.toFixed(1)} s behind live`]),
    ...(height === undefined ? [] : [`${height}p`]),
    `${buffered.toFixed(1)} s loaded`,
  ];
  return (
    <p class="state" data-playing={isPlaying}>
      {facts.join(', ')}
    </p>
  );
}
