"""Makes a locale with a decimal comma, in a folder of its own."""
import os
import shutil
import subprocess


def comma_locale(folder):
    """The environment of a German, or None where it cannot be made."""
    if not shutil.which("localedef"):
        return None
    done = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(folder, "de_DE.UTF-8")],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    env = {"LOCPATH": folder, "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"}
    shown = subprocess.run(["locale", "-k", "decimal_point"], stdout=subprocess.PIPE, env={**os.environ, **env}, text=True)
    return env if done.returncode == 0 and '","' in shown.stdout else None
