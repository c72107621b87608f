import type { ReactNode } from 'react';
import { type Palette, type Tile, ubin } from '@/lib/ubin';

const SIZE = 100;

/** The fallback for a missing cover or portrait: tiles seeded by the record's id. Decoration only. */
export function UbinPattern(props: { seed: string; columns: number; rows: number; palette?: Palette }) {
  const { seed, columns, rows, palette } = props;
  return (
    <svg
      viewBox={`0 0 ${columns * SIZE} ${rows * SIZE}`}
      preserveAspectRatio="xMidYMid slice"
      className="h-full w-full"
      aria-hidden="true"
    >
      {ubin(seed, columns, rows, palette).map((tile) => (
        <TileDrawing key={`${tile.x}-${tile.y}`} tile={tile} />
      ))}
    </svg>
  );
}

function TileDrawing({ tile }: { tile: Tile }) {
  return (
    <g transform={`translate(${tile.x * SIZE} ${tile.y * SIZE})`}>
      <rect x={-0.4} y={-0.4} width={SIZE + 0.8} height={SIZE + 0.8} fill={tile.ground} shapeRendering="crispEdges" />
      <g transform={`rotate(${tile.turns * 90} 50 50)`}>{motif(tile)}</g>
    </g>
  );
}

function motif({ kind, ground, figure, accent }: Tile): ReactNode {
  switch (kind) {
    case 'quarter':
      return <path d="M0 0H100A100 100 0 0 1 0 100Z" fill={figure} />;
    case 'quarter2':
      return (
        <>
          <path d="M0 0H100A100 100 0 0 1 0 100Z" fill={figure} />
          <path d="M0 0H50A50 50 0 0 1 0 50Z" fill={accent} />
        </>
      );
    case 'half':
      return <path d="M0 50A50 50 0 0 1 100 50Z" fill={figure} />;
    case 'serasi':
      return (
        <>
          <path d="M0 0V100A50 50 0 0 0 0 0Z" fill={figure} />
          <path d="M100 0V100A50 50 0 0 1 100 0Z" fill={accent} />
        </>
      );
    case 'leaf':
      return <path d="M0 0H50A50 50 0 0 1 100 50V100H50A50 50 0 0 1 0 50Z" fill={figure} />;
    case 'leaf2':
      return <path d="M0 0A100 100 0 0 1 100 100A100 100 0 0 1 0 0Z" fill={figure} />;
    case 'disc':
      return (
        <>
          <circle cx="50" cy="50" r="36" fill={figure} />
          <circle cx="50" cy="50" r="15" fill={accent} />
        </>
      );
    case 'bunga':
      return (
        <>
          <g fill={figure}>
            <circle cx="50" cy="27" r="23" />
            <circle cx="50" cy="73" r="23" />
            <circle cx="27" cy="50" r="23" />
            <circle cx="73" cy="50" r="23" />
          </g>
          <circle cx="50" cy="50" r="14" fill={accent} />
        </>
      );
    case 'star8':
      return (
        <g transform="translate(50 50)" fill={figure}>
          <rect x="-30" y="-30" width="60" height="60" />
          <rect x="-30" y="-30" width="60" height="60" transform="rotate(45)" />
          <circle r="14" fill={accent} />
        </g>
      );
    case 'arcs':
      return [1, 0.76, 0.52, 0.28].map((part, index) => {
        const r = 100 * part;
        return <path key={part} d={`M0 0H${r}A${r} ${r} 0 0 1 0 ${r}Z`} fill={index % 2 ? ground : figure} />;
      });
    case 'tri':
      return (
        <>
          <path d="M0 100L50 0L100 100Z" fill={figure} />
          <path d="M25 100L50 50L75 100Z" fill={accent} />
        </>
      );
  }
}
