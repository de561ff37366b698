import type { ImportAnswer } from '../../../src/http/consoleContract.ts';
import { formatLength } from '../logic/time.ts';
import { Badge } from '../parts/Badge.tsx';
import { TextField } from '../parts/TextField.tsx';
import type { SourceCheck } from './useSourceCheck.ts';

type SourceFieldProps = {
  readonly url: string;
  readonly check: SourceCheck;
  readonly error: string | undefined;
  onInput(url: string): void;
};

/** `1080p, 720p, 25 frames a second, 2 languages` */
function describe({ renditions = [] }: ImportAnswer): string {
  const pictures = renditions.filter(({ height }) => height !== undefined);
  const heights = [...new Set(pictures.map(({ height }) => height!))]
    .sort((a, b) => b - a)
    .map((height) => `${height}p`);
  const rate = pictures.find(({ framesPerSecond }) => framesPerSecond !== undefined)?.framesPerSecond;
  const sounds = renditions.filter(({ kind }) => kind === 'audio').map(({ language }) => language ?? 'und');
  const languages = [...new Set(sounds)].filter((language) => language !== 'und');
  return [
    ...heights,
    ...(rate === undefined ? [] : [`${rate} frames a second`]),
    ...(languages.length > 0 ? [languages.join(', ')] : []),
  ].join(', ');
}

function Finding({ check }: { readonly check: SourceCheck }) {
  const { found, isChecking, again } = check;
  if (isChecking) return <Badge tone="info">Being read …</Badge>;
  if (found === undefined) return null;
  const retry = (
    <button type="button" class="link small" onClick={again}>
      Read again
    </button>
  );
  if (found.state === 'failed')
    return (
      <>
        <Badge tone="bad">Cannot be played</Badge> <span class="small">{found.reason}</span> {retry}
      </>
    );
  return (
    <>
      <Badge tone={found.warnings?.length ? 'warn' : 'good'}>Can be played</Badge>{' '}
      <span class="small">
        {formatLength(found.duration ?? 0)}, {describe(found)}
      </span>{' '}
      {retry}
      {found.warnings?.map((warning) => (
        <p key={warning} class="small quiet">
          {warning}
        </p>
      ))}
    </>
  );
}

/** The address of a source, and at once what is there. */
export const SourceField = ({ url, check, error, onInput }: SourceFieldProps) => (
  <div class="stack tight">
    <TextField
      label="Source"
      type="url"
      value={url}
      error={error}
      onInput={onInput}
      placeholder="https://media.example.com/film/master.m3u8"
    />
    <div class="finding" aria-live="polite">
      <Finding check={check} />
    </div>
  </div>
);
