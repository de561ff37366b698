// SPDX-License-Identifier: Apache-2.0
import { ErrorNotice } from './Notice.tsx';

/** Grey lines in place of content, and a text for screen readers. */
export const Loading = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="loading" role="status">
    <span class="visually-hidden">Loading…</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="skeleton" />
    ))}
  </div>
);

type LoadStateProps = {
  readonly of: { readonly error: unknown; readonly isLoading: boolean; reload(): void };
  readonly lines?: number;
};

/** The error of a request with a retry, or the placeholder while it is loading; otherwise nothing. */
export const LoadState = ({ of: { error, isLoading, reload }, lines = 3 }: LoadStateProps) => (
  <>
    <ErrorNotice error={error} onRetry={reload} />
    {isLoading ? <Loading lines={lines} /> : null}
  </>
);
