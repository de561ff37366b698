// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import { errorMessage } from '../api/apiError.ts';
import { Notice } from '../components/feedback/Notice.tsx';

/** Keeps the navigation usable when a page throws. Its key resets it for another page. */
export function ErrorBoundary({ children }: { readonly children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <Notice tone="bad">
      This page crashed: {errorMessage(error)}{' '}
      <button type="button" class="link" onClick={reset}>
        Retry
      </button>
    </Notice>
  );
}
