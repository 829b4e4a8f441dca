#pragma once

// All of percepts. What each header is for:
#include "percepts/albedo.hpp"              // albedo maps to programs
#include "percepts/batch.hpp"               // many maps at once
#include "percepts/correspondence.hpp"      // matches between two images to programs
#include "percepts/depth.hpp"               // depth maps to programs
#include "percepts/detection.hpp"           // boxes of detectors to programs
#include "percepts/dtype.hpp"               // element types
#include "percepts/error.hpp"               // what is thrown
#include "percepts/feature_similarity.hpp"  // similarity of features at points
#include "percepts/field.hpp"               // views of maps, with masks and sentinels
#include "percepts/flow.hpp"                // flow fields to programs
#include "percepts/grid.hpp"                // cells and canonical coordinates
#include "percepts/image.hpp"               // views of images, grey or colour
#include "percepts/instruction_sets.hpp"    // what the kernels run on
#include "percepts/jigsaw.hpp"              // pieces of an image to programs
#include "percepts/kernels.hpp"             // the statistics by themselves
#include "percepts/label_mode.hpp"          // dominant labels
#include "percepts/nearest_match.hpp"       // the match nearest to a point
#include "percepts/note.hpp"                // notes of programs
#include "percepts/plan.hpp"                // many maps of one shape, one after another
#include "percepts/point.hpp"               // points of images
#include "percepts/points.hpp"              // points of a question to programs
#include "percepts/program.hpp"             // programs, their text and the way back
#include "percepts/reading.hpp"             // from stored values to readings
#include "percepts/reduce.hpp"              // programs that say less
#include "percepts/segmentation.hpp"        // label maps to programs
#include "percepts/semantic.hpp"            // similarity of points to programs
#include "percepts/similarity.hpp"          // maps of similarities to programs
#include "percepts/values.hpp"              // values of programs that are made by hand
#include "percepts/version.hpp"             // which percepts this is
