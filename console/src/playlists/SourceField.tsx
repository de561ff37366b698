// SPDX-License-Identifier: Apache-2.0
import type { ImportResponse } from '../../../src/http/contract/consoleContract.ts';
import { Badge } from '../components/feedback/Badge.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { formatHeights } from '../format/numbers.ts';
import { formatTimecode } from '../format/time.ts';
import type { SourceCheck } from './useSourceCheck.ts';

type SourceFieldProps = {
  readonly url: string;
  readonly check: SourceCheck;
  readonly error: string | undefined;
  onInput(url: string): void;
};

/** `1080p, 720p, 25 fps, en, de` */
function describe({ renditions = [] }: ImportResponse): string {
  const rate = renditions.find(({ framesPerSecond }) => framesPerSecond !== undefined)?.framesPerSecond;
  const languages = renditions.flatMap(({ kind, language = 'und' }) =>
    kind === 'audio' && language !== 'und' ? [language] : [],
  );
  return [formatHeights(renditions), rate === undefined ? '' : `${rate} fps`, ...new Set(languages)]
    .filter(Boolean)
    .join(', ');
}

function CheckResult({ check: { result, isChecking, repeat } }: { readonly check: SourceCheck }) {
  if (isChecking) return <Badge tone="info">Checking…</Badge>;
  if (result === undefined) return null;
  const repeatButton = (
    <button type="button" class="link small" onClick={repeat}>
      Check again
    </button>
  );
  if (result.state === 'failed')
    return (
      <>
        <Badge tone="bad">Not playable</Badge> <span class="small">{result.reason}</span> {repeatButton}
      </>
    );
  return (
    <>
      <Badge tone={result.warnings?.length ? 'warn' : 'good'}>Playable</Badge>{' '}
      <span class="small">
        {formatTimecode(result.duration ?? 0)}, {describe(result)}
      </span>{' '}
      {repeatButton}
      {result.warnings?.map((warning) => (
        <p key={warning} class="small muted">
          {warning}
        </p>
      ))}
    </>
  );
}

/** The URL of a source, and the result of checking it. */
export const SourceField = ({ url, check, error, onInput }: SourceFieldProps) => (
  <div class="stack tight">
    <TextField
      label="Source URL"
      type="url"
      value={url}
      error={error}
      onInput={onInput}
      placeholder="https://media.example.com/asset/master.m3u8"
    />
    <div class="check-result" aria-live="polite">
      <CheckResult check={check} />
    </div>
  </div>
);
