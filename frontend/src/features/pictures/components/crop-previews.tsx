// Previews of a cropped photo, as on cards and on the profile.
import type { Area } from '../crop';

/** Shows an area of the picture: scaled and offset so that the area fills the container. */
function Part({ image, area }: { image: HTMLImageElement; area: Area }) {
  return (
    <img
      className="absolute max-w-none"
      src={image.src}
      alt=""
      draggable={false}
      style={{
        width: `${(image.naturalWidth / area.width) * 100}%`,
        left: `${(-area.x / area.width) * 100}%`,
        top: `${(-area.y / area.height) * 100}%`,
      }}
    />
  );
}

/** The round one shows the middle of the portrait. */
export function PhotoPreviews({ image, area }: { image: HTMLImageElement; area: Area }) {
  const round = { ...area, y: area.y + (area.height - area.width) / 2, height: area.width };
  return (
    <div className="flex flex-wrap items-end gap-6 min-[720px]:flex-col min-[720px]:items-start" aria-hidden="true">
      <div>
        <p className="mb-2 font-semibold text-muted-foreground text-xs">On cards</p>
        <span
          data-slot="cut"
          className="relative block w-30 overflow-hidden rounded-lg bg-muted ring ring-border"
          style={{ aspectRatio: area.width / area.height }}
        >
          <Part image={image} area={area} />
        </span>
      </div>
      <div>
        <p className="mb-2 font-semibold text-muted-foreground text-xs">Round</p>
        <div className="flex items-end gap-3">
          {[84, 44].map((size) => (
            <span
              key={size}
              data-slot="cut"
              className="relative block overflow-hidden rounded-full bg-muted ring ring-border"
              style={{ width: size, height: size }}
            >
              <Part image={image} area={round} />
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
