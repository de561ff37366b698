/** Grey lines where content will be; screen readers are told in words. */
export const Loading = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="loading" role="status">
    <span class="unseen">Loading …</span>
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} class="bone" />
    ))}
  </div>
);
