#!/usr/bin/python3
"""CPU time per frame of two views into a volume, compared with VTK's in the same run, in turns.

usage: xvfb-run -a tests/bench/versus_vtk_inside.py CUBIST FILE_WxHxD_TYPE.raw LOW HIGH [layers|clip] [--rounds N]

layers: a camera turns around two contours, the outer one at opacity 0.3. VTK: depth peeling of two vtkFlyingEdges3D,
with as many peels as the picture needs (OcclusionRatio 0). "draft" is ours with one ray a pixel and no occlusion.
clip: a plane with a cap moves through the contour at LOW. VTK: vtkClipClosedSurface on the mesh of vtkFlyingEdges3D.
Ours is `cubist animate`: the CPU
time of FRAMES + 2 frames less that of 2 frames, over FRAMES. It makes the surface again in each frame, and draws 4
samples a pixel, which VTK does not. "draft" is what the window draws while the plane moves. With clip neither has
occlusion.
"""
import argparse
import os
import re
import resource
import subprocess
import time

import numpy as np
import vtk
from vtk.util import numpy_support

FRAMES = 6
SIZE = (1280, 800)


def load(path):
    w, h, d, kind = re.search(r"_(\d+)x(\d+)x(\d+)_(\w+)\.raw$", path).groups()
    image = vtk.vtkImageData()
    image.SetDimensions(int(w), int(h), int(d))
    image.GetPointData().SetScalars(numpy_support.numpy_to_vtk(np.fromfile(path, kind), deep=True))
    return image


class Ours:
    def __init__(self, cubist, path):
        self.cubist, self.path = cubist, path

    def run(self, frames, options):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([self.cubist, "animate", self.path, "--size", "x".join(map(str, SIZE)), "--frames", str(frames),
                        "-q", "-o", "-", *options], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def frame(self, options):
        return (self.run(FRAMES + 2, options) - self.run(2, options)) / FRAMES


class Vtk:
    def __init__(self, image):
        self.image, self.renderer, self.window = image, vtk.vtkRenderer(), vtk.vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetSize(*SIZE)
        self.window.SetMultiSamples(0)
        self.window.AddRenderer(self.renderer)

    def contour(self, iso):
        edges = vtk.vtkFlyingEdges3D()
        edges.SetInputData(self.image)
        edges.SetValue(0, iso)
        edges.ComputeGradientsOff()
        edges.ComputeScalarsOff()
        return edges

    def show(self, source, opacity=1):
        mapper, actor = vtk.vtkPolyDataMapper(), vtk.vtkActor()
        mapper.SetInputConnection(source.GetOutputPort())
        mapper.ScalarVisibilityOff()
        actor.SetMapper(mapper)
        actor.GetProperty().SetOpacity(opacity)
        self.renderer.AddActor(actor)

    def frame(self, move):
        times = []
        for i in range(FRAMES + 1):
            start = time.process_time()
            move(i)
            self.renderer.ResetCameraClippingRange()
            self.window.Render()
            pixels = vtk.vtkUnsignedCharArray()
            self.window.GetPixelData(0, 0, SIZE[0] - 1, SIZE[1] - 1, 0, pixels, 0)
            times.append(time.process_time() - start)
        return sum(times[1:]) / FRAMES


def layers(image, low, high):
    theirs = Vtk(image)
    theirs.show(theirs.contour(low), 0.3)
    theirs.show(theirs.contour(high))
    theirs.renderer.SetUseDepthPeeling(1)
    theirs.renderer.SetMaximumNumberOfPeels(1000)
    theirs.renderer.SetOcclusionRatio(0)
    theirs.window.SetAlphaBitPlanes(1)
    theirs.renderer.ResetCamera()
    options = ["--iso", f"{low:g},{high:g}", "--opacity", "0.3,1", "--turntable", "60"]
    return lambda: theirs.frame(lambda i: theirs.renderer.GetActiveCamera().Azimuth(10)), {
        "full": options, "draft": [*options, "--samples", "1", "--light", "off"]}


def clip(image, low, _high):
    theirs = Vtk(image)
    bounds = image.GetBounds()
    plane, planes, cut = vtk.vtkPlane(), vtk.vtkPlaneCollection(), vtk.vtkClipClosedSurface()
    plane.SetNormal(1, 0, 0)
    planes.AddItem(plane)
    surface = theirs.contour(low)
    cut.SetInputConnection(surface.GetOutputPort())
    cut.SetClippingPlanes(planes)
    theirs.show(cut)
    theirs.renderer.ResetCamera()

    def move(i):
        plane.SetOrigin(bounds[0] + (bounds[1] - bounds[0]) * (0.3 + 0.4 * i / FRAMES), 0, 0)
        cut.Modified()

    options = ["--iso", f"{low:g}", "--clip", "x=30%:70%", "--light", "off"]
    return lambda: theirs.frame(move), {
        "triangles": options,
        "rays": [*options, "--draw", "rays"],
        "draft": [*options, "--draw", "rays", "--samples", "1"],
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cubist")
    parser.add_argument("file")
    parser.add_argument("low", type=float)
    parser.add_argument("high", type=float)
    parser.add_argument("what", nargs="?", choices=["layers", "clip"])
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    ours = Ours(given.cubist, given.file)
    for what in [given.what] if given.what else ["layers", "clip"]:
        theirs, modes = {"layers": layers, "clip": clip}[what](load(given.file), given.low, given.high)
        best = {name: float("inf") for name in ("VTK", *modes)}
        for turn in range(given.rounds):
            runs = [("VTK", theirs), *((name, lambda o=o: ours.frame(o)) for name, o in modes.items())]
            for name, run in runs if turn % 2 == 0 else reversed(runs):
                best[name] = min(best[name], run())
        for name, seconds in best.items():
            print(f"{what} {name:<10} {seconds:7.3f} CPU s a frame   VTK over this {best['VTK'] / seconds:6.2f}")


if __name__ == "__main__":
    main()
