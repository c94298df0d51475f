/** The mark: four staves of a herringbone floor. Decorative; the name is next to it. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" className="shrink-0 text-accent">
      <path d="M0 7 7 0h5v2.5L2.5 12H0z" fill="currentColor" />
      <path d="M24 7 17 0h-5v2.5L21.5 12H24z" fill="currentColor" opacity=".55" />
      <path d="M2.5 12 12 21.5V24H7L0 17v-5z" fill="currentColor" opacity=".55" />
      <path d="M21.5 12 12 21.5V24h5l7-7v-5z" fill="currentColor" />
    </svg>
  );
}
