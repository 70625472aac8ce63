package org.brigade.transport.ucx;

import java.util.List;
import org.brigade.select.TuningException;
import org.brigade.setting.Portable;
import org.brigade.transport.ucx.library.Ucp;
import org.brigade.transport.ucx.library.UcxException;

/** Describes this node's UCX to people. */
public final class UcxInventory {
    private UcxInventory() {
    }

    /** Null if UCX can be loaded; else why not, as a sentence with its cure. */
    public static String missing() {
        if (Portable.ON) {
            return Portable.WHY;
        }
        try {
            return UcxLibrary.missing();
        } catch (TuningException wrong) {
            return wrong.getMessage();
        } catch (LinkageError e) {
            return "JNA cannot be loaded (" + e.getMessage() + "); set XDG_CACHE_HOME to a folder of yours where files"
                + " may be written and executed";
        }
    }

    /** Version, file and devices. Starts UCX for a moment. Only if nothing is {@link #missing}. */
    public static List<String> lines() {
        String library = "UCX " + Ucp.version() + ", " + Ucp.path();
        try {
            long context = Ucp.context();
            List<String> devices = Ucp.devices(context);
            Ucp.closeContext(context);
            return List.of(library, "devices: " + (devices.isEmpty() ? "none" : String.join(", ", devices)),
                "GPU memory goes by way of page-locked host memory");
        } catch (UcxException e) {
            return List.of(library, "does not start: " + e.getMessage() + "; set UCX_LOG_LEVEL=info to see why");
        }
    }
}
